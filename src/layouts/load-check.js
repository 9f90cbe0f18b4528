(() => {
  const island = () => document.querySelector('astro-island');
  const show = (failed) => {
    document.querySelector('[data-load-failed]').hidden = !failed;
    island().hidden = failed;
  };
  const check = () => island()?.hasAttribute('ssr') && show(true);
  addEventListener('error', ({ target }) => target.tagName === 'SCRIPT' && setTimeout(check, 1000), true);
  setTimeout(check, 20000);
  addEventListener('click', ({ target }) => target.closest('[data-load-failed] > button') && location.reload());
  addEventListener('astro:hydrate', () => show(false), true);
})();
