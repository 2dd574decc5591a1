/*
 * Puts the theme on the page before anything is drawn: the saved choice, else what the system says.
 * It is no module, because those wait until the page is read, and the page would flash.
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

  // A show is dark from its first moment on: a wall that loads at night gives no light.
  if (/^\/(frame|play|tv|remote)(\/|$)|^\/rooms\/[^/]+$|\/play$/.test(location.pathname))
    document.documentElement.dataset.show = ''

  apply()
  dark.addEventListener('change', apply)
  addEventListener('storage', apply)
  addEventListener('lanternist-theme', apply)
})()
