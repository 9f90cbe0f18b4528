((root, key) => {
  let theme;
  try {
    theme = localStorage[`${key}theme`];
    if (localStorage[`${key}session`] === '1') root.dataset.session = '';
  } catch {}
  if (theme ? theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches) {
    root.classList.add('dark');
    document.querySelector('[name=theme-color]').content = '#14130f';
  }
})(document.documentElement, 'common-ink:');
