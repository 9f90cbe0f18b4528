import { useStore } from '@nanostores/react';
import { Icon } from '#components/icons/Icon.tsx';
import { $theme, toggleTheme } from '#stores/theme.ts';

export function ThemeToggle({ label, className }: { readonly label: string; readonly className: string }) {
  const theme = useStore($theme);
  return (
    <button
      type="button"
      aria-label={label}
      aria-pressed={theme === 'dark'}
      className={className}
      onClick={toggleTheme}
    >
      <Icon name={theme === 'dark' ? 'sun' : 'moon'} />
    </button>
  );
}
