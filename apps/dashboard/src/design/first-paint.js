// The theme of this browser, before anything is painted: the policy of the page knows no script within it.
;(() => {
  try {
    const theme = localStorage.getItem('svc.theme')
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
  } catch {
    // A browser that keeps nothing has the theme of its system.
  }
})()
