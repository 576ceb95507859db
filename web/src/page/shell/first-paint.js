// Runs before the first paint (a plain script in the head), so that the page never flashes.
// What the learner chose stays in this browser; "system" follows the device.
(function () {
  var root = document.documentElement;
  var device = matchMedia('(prefers-color-scheme: dark)');

  function stored() {
    try {
      return localStorage.getItem('attention-lab.theme');
    } catch {
      return null; // storage is forbidden: the device decides
    }
  }

  function apply(choice) {
    var dark = choice === 'dark' || (choice !== 'light' && device.matches);
    root.dataset.themeChoice = choice === 'dark' || choice === 'light' ? choice : 'system';
    root.dataset.theme = dark ? 'dark' : 'light';
  }

  /** In another page's frame only the blocks that its address names are shown: ?embed=step,weights&hide=code,strip */
  function embed() {
    var query = new URLSearchParams(location.search);
    if (!query.has('embed')) return;
    root.dataset.embed = query.get('embed').split(',').join(' ');
    root.dataset.hide = (query.get('hide') || '').split(',').join(' ');
  }

  root.classList.add('has-script');
  embed();
  apply(stored());
  device.addEventListener('change', function () {
    apply(stored());
  });
  document.addEventListener('theme-chosen', function (event) {
    apply(event.detail);
  });
})();
