// The keyboard: / searches, j and k move, Enter opens, Esc goes back, ? helps.
import {byId} from './dom.js';

const TABS = {1: '#/servers', 2: '#/tools', 3: '#/calls'};

export function listen(go) {
  byId('help').addEventListener('click', () => byId('keys').showModal());
  document.addEventListener('keydown', (event) => {
    const typing = event.target.matches?.('input, textarea, select');
    if (event.ctrlKey || event.metaKey || event.altKey || byId('keys').open) return;
    if (event.key === 'Escape') back(typing, event.target, go);
    else if (typing) arrows(event);
    else press(event, go);
  });
}

function press(event, go) {
  if (event.key === '/') {
    event.preventDefault();
    // The search field is hidden when there are few servers.
    if (!byId('search')?.offsetParent) go('#/tools');
    byId('search')?.focus();
    byId('search')?.select();
  } else if (event.key === 'j' || event.key === 'k') move(event.key === 'j' ? 1 : -1);
  else if (event.key === '?') byId('keys').showModal();
  else if (TABS[event.key]) go(TABS[event.key]);
}

/** In the search field, the arrow keys move to the list. */
function arrows(event) {
  if (event.target.id !== 'search') return;
  if (event.key === 'ArrowDown') {
    event.preventDefault();
    move(1);
  } else if (event.key === 'Enter') {
    document.querySelector('a[data-item]')?.click();
  }
}

function move(by) {
  const items = [...document.querySelectorAll('[data-item]')];
  const now = items.findIndex((item) => item.contains(document.activeElement));
  const open = items.findIndex((item) => item.getAttribute('aria-selected') === 'true');
  const next = items[Math.min(items.length - 1, Math.max(0, (now >= 0 ? now : open) + by))];
  if (!next) return;
  const target = next.matches('a') ? next : next.querySelector('button, a');
  target?.focus();
  next.scrollIntoView({block: 'nearest'});
}

function back(typing, target, go) {
  if (typing) target.blur();
  else go(location.hash.split('/').slice(0, 2).join('/') || '#/servers');
}
