((root, key) => {
  let theme;
  try {
    theme = localStorage[`${key}theme`];
    if (localStorage[`${key}session`]) root.dataset.session = '';
  } catch {}
  if (theme ? theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches) {
    root.classList.add('dark');
    const colour = document.querySelector('[name=theme-color]');
    colour.content = colour.dataset.dark;
  }
})(document.documentElement, 'common-ink:');
