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

  apply()
  dark.addEventListener('change', apply)
  addEventListener('storage', apply)
  addEventListener('lanternist-theme', apply)
})()
