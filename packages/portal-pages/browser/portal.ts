// What pages do beyond what they do without scripts. Browsers load it without its types.

const root = document.documentElement;
const texts = document.body.dataset;

/** Changes the colours at once, and keeps the choice for a year as the server does. */
function chooseTheme(event: MouseEvent): void {
  const link = (event.target as Element).closest<HTMLElement>('[data-theme-choice]');
  const theme = link?.dataset.themeChoice;
  if (theme === undefined || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  if (theme === 'system') delete root.dataset.theme;
  else root.dataset.theme = theme;
  const age = theme === 'system' ? 0 : 31_536_000;
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: the server reads it with the next page
  document.cookie = `millrace_portal_theme=${theme}; Path=/; Max-Age=${age}; SameSite=Lax${secure}`;
  document.querySelector<HTMLElement>(theme === 'dark' ? '.to-light' : '.to-dark')?.focus();
}
document.addEventListener('click', chooseTheme);

/** Gives each panel of code a button that copies what it shows. */
for (const panel of document.querySelectorAll<HTMLElement>('.code, .prose pre')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = texts.copy ?? '';
  button.addEventListener('click', () => {
    const shown = [panel, ...panel.querySelectorAll('pre')].filter((pre) => pre.localName === 'pre');
    const visible = shown.find((pre) => pre.checkVisibility());
    const code = visible?.querySelector('code')?.textContent ?? '';
    void navigator.clipboard.writeText(code).then(() => {
      button.textContent = texts.copied ?? '';
      setTimeout(() => {
        button.textContent = texts.copy ?? '';
      }, 2_000);
    });
  });
  const bar = panel.querySelector('.code-bar');
  if (bar === null) panel.prepend(button);
  else bar.append(button);
}

/** Shows the current page in a list that scrolls on its own. */
for (const list of document.querySelectorAll<HTMLElement>('.side')) {
  const current = list.querySelector<HTMLElement>('[aria-current]');
  if (current === null || list.scrollHeight <= list.clientHeight) continue;
  list.scrollTop = current.getBoundingClientRect().top - list.getBoundingClientRect().top - list.clientHeight / 2;
}

/** Keeps the language of snippets from one operation to the next. */
const snippetKey = 'millrace.snippet';
for (const tabs of document.querySelectorAll<HTMLElement>('[data-snippets]')) {
  const wanted = localStorage.getItem(snippetKey);
  for (const input of tabs.querySelectorAll('input')) {
    if (input.value === wanted) input.checked = true;
    input.addEventListener('change', () => localStorage.setItem(snippetKey, input.value));
  }
}

/** Estimates while somebody types, by the page that the form would open. */
for (const estimator of document.querySelectorAll<HTMLElement>('[data-estimator]')) {
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let running: AbortController | undefined;
  const update = async (whole: boolean): Promise<void> => {
    const form = estimator.querySelector('form');
    if (form === null) return;
    running?.abort();
    running = new AbortController();
    const query = new URLSearchParams();
    for (const [name, value] of new FormData(form)) if (typeof value === 'string') query.append(name, value);
    try {
      const url = `${location.pathname}?${query}`;
      const response = await fetch(url, { signal: running.signal, headers: { accept: 'text/html' } });
      const page = new DOMParser().parseFromString(await response.text(), 'text/html');
      const found = page.querySelector(whole ? '[data-estimator]' : '[data-estimate]');
      const shown = whole ? estimator : estimator.querySelector('[data-estimate]');
      if (found === null || shown === null) return;
      shown.replaceChildren(...found.childNodes);
      if (whole) estimator.querySelector('select')?.focus();
    } catch (error) {
      if (!(error instanceof DOMException)) form.submit();
    }
  };
  const later = (whole: boolean, delayMs: number): void => {
    clearTimeout(waiting);
    waiting = setTimeout(() => void update(whole), delayMs);
  };
  estimator.addEventListener('input', (event) => {
    const isPlan = (event.target as Element).localName === 'select';
    later(isPlan, isPlan ? 0 : 250);
  });
  estimator.addEventListener('submit', (event) => {
    event.preventDefault();
    later(false, 0);
  });
}
