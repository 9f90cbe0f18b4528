/** An error message that screen readers announce at once. Keep it mounted and change only `message`. */
import { Icon } from '../icons/Icon.tsx';

export function Banner({ message, className = '' }: { message: string | null | undefined; className?: string }) {
  return (
    <div role="alert" className={className}>
      {message && (
        <p className="flex items-start gap-3 rounded-md border border-danger bg-danger-wash px-4 py-3 text-base text-danger">
          <Icon name="warning" className="mt-0.5 size-5" />
          <span className="min-w-0 wrap-anywhere">{message}</span>
        </p>
      )}
    </div>
  );
}
