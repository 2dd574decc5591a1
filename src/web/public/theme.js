/*
 * Sets the theme before the page is drawn: the saved choice, otherwise the setting of the system. This is not
 * a module, because modules run only after the page is parsed, and the page would flash.
 */
;(function () {
  var dark = matchMedia('(prefers-color-scheme: dark)')

  function savedTheme() {
    try {
      return localStorage.getItem('lanternist_theme')
    } catch {
      return null
    }
  }

  function apply() {
    var saved = savedTheme()
    var system = dark.matches ? 'dark' : 'light'
    document.documentElement.dataset.theme = saved === 'dark' || saved === 'light' ? saved : system
  }

  // A show is dark from the start, so that a screen on a wall gives no light at night while it loads.
  if (/^\/(frame|play|tv|remote)(\/|$)|^\/rooms\/[^/]+$|\/play$/.test(location.pathname))
    document.documentElement.dataset.show = ''

  apply()
  dark.addEventListener('change', apply)
  addEventListener('storage', apply)
  addEventListener('lanternist-theme', apply)
})()
