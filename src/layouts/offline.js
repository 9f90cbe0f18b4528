(() => {
  const notice = document.querySelector('[data-offline]');
  const workers = navigator.serviceWorker;
  const { offline: list, worker, scopes, project, words, unreachable, shareFailed } = notice.dataset;
  const pages = scopes.split(' ');
  const say = (text) => {
    if (notice.textContent === text) return;
    notice.textContent = text;
    // Uses a class that readers' pages already have, because a new one would enlarge their style sheets.
    notice.classList.toggle('py-2', text !== '');
  };
  const hasFailed = location.search === '?share-failed';
  if (hasFailed) say(shareFailed);
  workers?.addEventListener('message', ({ data }) => {
    if (!hasFailed) say(data.isStored ? (navigator.onLine ? unreachable : words) : '');
  });

  // Repeats the requests that the page made before the worker could store the responses.
  const repeatLoads = async () => {
    const { cookieFallback } = localStorage;
    const headers = {
      'X-Appwrite-Project': project,
      'X-Appwrite-Response-Format': '1.9.5',
      // The SDK stores the session here if the browser blocks the backend's cookies.
      ...(cookieFallback && { 'X-Fallback-Cookies': cookieFallback }),
    };
    const loads = performance.getEntriesByType('resource').map(({ name }) => name);
    const repeated = new Set(loads.filter((name) => /\/(?:v1|api)\/|\/tags\.json$/.test(name)));
    // The account comes first, because the worker stores nothing for an unknown user.
    const account = loads.find((name) => name.endsWith('/account'));
    for (const address of account ? [account, ...repeated] : [])
      await fetch(address, address.includes('/storage/') ? {} : { headers, credentials: 'include' }).catch(() => {});
  };

  const start = async () => {
    if (!workers.controller)
      workers.addEventListener('controllerchange', () => repeatLoads().catch(() => {}), { once: true });
    for (const scope of pages) await workers.register(worker, { scope });
    (await workers.ready).active.postMessage({ pages, list });
  };
  // Service workers need https, and in development there is no list of scripts.
  if (!workers || !list) return;
  addEventListener('load', () => {
    const begin = () =>
      (window.requestIdleCallback ?? setTimeout)(() =>
        start().catch((error) => console.info('The pages will not open offline:', error)),
      );
    if ('session' in document.documentElement.dataset) begin();
    else addEventListener('common-ink:signed-in', begin, { once: true });
  });
})();
