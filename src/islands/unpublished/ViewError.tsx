import { errorLine, postText } from '#blog/messages.ts';
import { ButtonLink } from '#components/controls/Button.tsx';

export function ViewError({ message }: { message: string }) {
  return (
    <div role="alert" className="mx-auto max-w-wide px-4 py-24 text-center">
      <h1 className="mb-6 text-xl">{errorLine(message)}</h1>
      <ButtonLink tone="quiet" href="/">
        {postText.backHome}
      </ButtonLink>
    </div>
  );
}
