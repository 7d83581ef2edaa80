// Runs before every other script of the callback page: removes code and state from the address, so
// that no later request contains them. Keeps them in memory for app.js. Security H02.

Object.assign(window, { callbackQuery: location.search.slice(1) })
history.replaceState(null, '', location.pathname)
