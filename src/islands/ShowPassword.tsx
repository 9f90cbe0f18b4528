/** The button beside a password that shows what is typed, and hides it again. */
import { signupText } from '#blog/messages/sign-up.ts';

interface ShowPasswordProps {
  readonly shown: boolean;
  readonly onToggle: () => void;
  /** What is shown, for who does not see where the button stands. */
  readonly what: string;
}

export function ShowPassword({ shown, onToggle, what }: ShowPasswordProps) {
  return (
    <button
      type="button"
      onClick={onToggle}
      className="relative text-sm font-medium text-accent after:absolute after:-inset-3"
    >
      {shown ? signupText.hide : signupText.show}
      <span className="sr-only"> {what}</span>
    </button>
  );
}
