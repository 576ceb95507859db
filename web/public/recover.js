// A page from a cache may name scripts that its host has no more (a newer build has taken their place), or get one of them cut off.
// This script has no hash in its name, so it is still there: a page whose own scripts did not run is fetched anew, once; then it is told.
(function () {
  var TRIED = 'attention-lab.recovered';

  /** False: it was tried already, or nothing can be remembered; then trying again might never end. */
  function firstTime() {
    try {
      if (sessionStorage.getItem(TRIED) === location.pathname) return false;
      sessionStorage.setItem(TRIED, location.pathname);
      return true;
    } catch {
      return false;
    }
  }

  function tell() {
    var notice = document.getElementById('broken');
    if (!notice) return;
    notice.hidden = false;
    notice.querySelector('button').addEventListener('click', anew);
  }

  /** Past every cache on the way. */
  function anew() {
    var again = function () {
      location.reload();
    };
    fetch(location.href, { cache: 'reload' }).then(again, again);
  }

  addEventListener('load', function () {
    if (document.documentElement.dataset.shell === 'ready') {
      try {
        sessionStorage.removeItem(TRIED);
      } catch {
        // nothing is remembered there
      }
    } else if (navigator.onLine && firstTime()) anew();
    else tell();
  });
})();
