export function Spinner({ label, className = '' }: { label: string; className?: string }) {
  return (
    <p role="status" className={`flex items-center justify-center gap-3 py-16 text-base text-soft ${className}`}>
      <span
        aria-hidden="true"
        className="size-5 animate-spin rounded-full border-2 border-hairline border-t-accent forced-colors:border-t-[Highlight]"
      />
      {label}
    </p>
  );
}
