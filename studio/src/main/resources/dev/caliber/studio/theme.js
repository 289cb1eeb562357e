// Runs before anything is drawn, so that a page never flashes in the other light.
(() => {
  let kept = null;
  try { kept = localStorage.getItem('caliber.theme'); } catch { /* a browser that keeps nothing */ }
  if (kept === 'light' || kept === 'dark') document.documentElement.dataset.theme = kept;
})();
