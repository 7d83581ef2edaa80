// Runs before every other script of the callback page: takes code and state out of the address, so
// that no later request can carry them. Leaves them to growth-chart.js, in memory. Security H02.

Object.assign(window, { callbackQuery: location.search.slice(1) })
history.replaceState(null, '', location.pathname)
