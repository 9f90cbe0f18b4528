import { postText } from '#blog/messages.ts';
import { ButtonLink } from '#components/controls/Button.tsx';

interface FormUnavailableProps {
  readonly text: string;
  readonly more?: string;
  readonly children?: React.ReactNode;
}

export function FormUnavailable({ text, more, children }: FormUnavailableProps) {
  return (
    <div role="alert" className="grid min-h-[50vh] place-content-center gap-6 px-4 text-center">
      <h1 className="text-2xl">{text}</h1>
      {more && <p className="max-w-form text-base text-soft">{more}</p>}
      <div className="flex flex-wrap justify-center gap-3">
        {children}
        <ButtonLink tone="quiet" href="/">
          {postText.backHome}
        </ButtonLink>
      </div>
    </div>
  );
}
