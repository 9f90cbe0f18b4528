/** Line icons on a grid of 24, in the colour of the text around. Always decoration: the control carries the name. */

const PATHS = {
  'arrow-down': 'M12 5v14m-6-6 6 6 6-6',
  'arrow-left': 'M19 12H5m6-6-6 6 6 6',
  'arrow-right': 'M5 12h14m-6-6 6 6-6 6',
  'arrow-up': 'M12 19V5m-6 6 6-6 6 6',
  bold: 'M7 5h6a3.5 3.5 0 0 1 0 7H7zm0 7h7a3.5 3.5 0 0 1 0 7H7z',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  close: 'm6 6 12 12M18 6 6 18',
  code: 'm8 7-5 5 5 5m8-10 5 5-5 5',
  'code-block': 'M4 4h16v16H4zm5.5 5.5L7 12l2.5 2.5m5-5L17 12l-2.5 2.5',
  expand: 'M14 4h6v6m0-6-6.5 6.5M10 20H4v-6m0 6 6.5-6.5',
  eye: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12M12 9a3 3 0 1 1 0 6 3 3 0 0 1 0-6',
  'eye-off':
    'm4 4 16 16M9.9 5.8A9 9 0 0 1 12 5.5c6 0 9.5 6.5 9.5 6.5a17 17 0 0 1-2.6 3.3M6.2 7.6A16 16 0 0 0 2.5 12S6 18.5 12 18.5a9 9 0 0 0 4.4-1.2M9.9 9.9a3 3 0 0 0 4.2 4.2',
  heading: 'M6 5v14M18 5v14M6 12h12',
  italic: 'M10 5h7M7 19h7M14 5l-4 14',
  link: 'M10 13.5a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.7L12 6.5m2 4a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.7l1.3-1.3',
  list: 'M9 6h11M9 12h11M9 18h11M4.5 6h.01M4.5 12h.01M4.5 18h.01',
  'list-checks': 'M11 6h9M11 12h9M11 18h9M3.5 6 5 7.5 8 4.5M3.5 12 5 13.5l3-3M3.5 18 5 19.5l3-3',
  'list-numbers': 'M10 6h10M10 12h10M10 18h10M4 4.5 5.5 4v5M4 15.2c1.4-1 2.7-.3 2.4.8S4 18.6 4 19h2.7',
  moon: 'M20 14.2A8 8 0 0 1 9.8 4 8 8 0 1 0 20 14.2',
  outline: 'M4 6h10M8 12h12M8 18h9',
  pencil: 'm14.5 5.5 4 4M4 20l1-4.5L16.2 4.3a1.7 1.7 0 0 1 2.4 0l1.1 1.1a1.7 1.7 0 0 1 0 2.4L8.5 19z',
  person: 'M12 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8M4.5 20.5a7.5 7.5 0 0 1 15 0',
  picture: 'M4 5h16v14H4zm0 11 4.5-4.5 7.5 7.5m-2.5-2.5L16 14l4 4M15 9.2h.01',
  plus: 'M12 5v14M5 12h14',
  quote: 'M4 17h4l2-4V7H4v6h3zm10 0h4l2-4V7h-6v6h3z',
  redo: 'm15 4 5 5-5 5M20 9H9.5a5.5 5.5 0 0 0 0 11H13',
  rule: 'M3 12h18',
  search: 'M10.5 4a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13m4.8 11.3L20 20',
  source: 'M6 3h8l5 5v13H6zm8 0v5h5M10.5 12 8.5 14.5l2 2.5m3-5 2 2.5-2 2.5',
  strike:
    'M4 12h16M17 7.5C16.3 5.9 14.5 5 12 5c-3 0-5 1.3-5 3.5 0 1 .5 2 1.5 2.5M7 16c.6 1.9 2.4 3 5 3 3 0 5-1.4 5-3.5',
  sun: 'M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8m0-5v1.5m0 15V21m9-9h-1.5m-15 0H3m15.4-6.4-1.1 1.1M6.7 17.3l-1.1 1.1m12.8 0-1.1-1.1M6.7 6.7 5.6 5.6',
  table: 'M4 5h16v14H4zm0 5h16M4 14.5h16M12 5v14',
  trash: 'M4 7h16M9 7V4h6v3m-8.5 0 1 13h9l1-13M10 11v5.5m4-5.5v5.5',
  undo: 'M9 4 4 9l5 5M4 9h10.5a5.5 5.5 0 0 1 0 11H11',
  warning: 'M12 4 2.8 20h18.4zm0 6v4.5m0 2.5h.01',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, className = 'size-5' }: { name: IconName; className?: string }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      className={`shrink-0 ${className}`}
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
