// The page to which the service leads the sign-in tab once the user has approved: gives the proof in its
// address to the background, which knows whether it opened this tab. Any site may open the page.
const proof = location.hash.slice(1)
history.replaceState(null, '', location.pathname)
void chrome.runtime.sendMessage({ to: 'background', type: 'approved', proof }).catch(() => {})
