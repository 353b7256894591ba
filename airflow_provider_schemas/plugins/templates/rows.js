addEventListener('DOMContentLoaded', () => {
  for (const body of document.querySelectorAll('tbody[data-rows]')) {
    const state = document.querySelector('[data-rows-state]');
    fetch(body.dataset.rows).then(answer => answer.ok ? answer.text() : Promise.reject()).then(
      rows => { body.outerHTML = rows; state.textContent = ''; },
      () => { state.textContent = 'Versions and owners cannot be read just now. The names are those of the last listing.'; });
  }
});
