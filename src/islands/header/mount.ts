import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { SessionNav } from './SessionNav.tsx';
import { ThemeToggle } from './ThemeToggle.tsx';

export function mountHeader(element: HTMLElement): void {
  createRoot(element).render(createElement(SessionNav));
}

/** Replaces the server-rendered button, once, with one that shares its state with the islands. */
export function mountThemeToggle(): void {
  const place = document.querySelector('[data-theme-toggle]');
  const button = place?.querySelector('button');
  if (!place || !button) return;
  place.removeAttribute('data-theme-toggle');
  const label = button.getAttribute('aria-label') ?? '';
  createRoot(place).render(createElement(ThemeToggle, { label, className: button.className }));
}
