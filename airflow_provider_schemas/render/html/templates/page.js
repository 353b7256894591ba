'use strict';
(() => {
  const root = document.documentElement;
  const OURS = {bg: 'bg', fg: 'fg', muted: 'fg-muted', border: 'border'};
  let host = null;
  try { if (parent !== self) host = parent.document.documentElement; } catch { host = null; }

  const isDark = () => host ? host.classList.contains('dark') : false;
  const takeOver = () => {
    if (!host) return;
    root.classList.toggle('dark', isDark());
    root.classList.toggle('light', !isDark());
    const theirs = parent.getComputedStyle(host);
    for (const [ours, name] of Object.entries(OURS)) {
      const color = theirs.getPropertyValue('--chakra-colors-' + name).trim();
      if (color && CSS.supports('color', color)) root.style.setProperty('--airflow-' + ours, color);
    }
    const font = theirs.getPropertyValue('--chakra-fonts-body').trim();
    if (font && CSS.supports('font-family', font)) root.style.setProperty('--airflow-sans', font);
  };
  root.classList.add('js');
  takeOver();
  if (host) new MutationObserver(takeOver).observe(host, {attributes: true, attributeFilter: ['class']});

  const viaSelection = text => {
    const area = document.createElement('textarea');
    area.value = text;
    area.style.position = 'fixed';
    document.body.append(area);
    area.select();
    const copied = document.execCommand('copy');
    area.remove();
    return copied;
  };
  const copy = async text => {
    try { await navigator.clipboard.writeText(text); return true; } catch { return viaSelection(text); }
  };
  const show = (button, words) => {
    button.setAttribute('aria-live', 'polite');
    button.classList.toggle('copied', words === 'Copied');
    button.textContent = words;
    setTimeout(() => { button.textContent = 'Copy'; button.classList.remove('copied'); }, 2000);
  };
  addEventListener('click', async event => {
    const button = event.target.closest('button.copy');
    if (button) return show(button, await copy(button.dataset.copy) ? 'Copied' : 'Select it');
    const link = event.target.closest('a[data-airflow]');
    if (!link || !host) return;
    event.preventDefault();
    parent.history.pushState({}, '', link.href);
    parent.dispatchEvent(new PopStateEvent('popstate', {state: {}}));
  });
  addEventListener('beforeprint', () => document.querySelectorAll('details:not([open])').forEach(part => { part.open = true; part.dataset.folded = ''; }));
  addEventListener('afterprint', () => document.querySelectorAll('details[data-folded]').forEach(part => { part.open = false; delete part.dataset.folded; }));
})();
