import type { IncomingMessage } from 'node:http'

/** True for a visitor who reads pages, as a browser does. */
export function wantsPage({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return (headers.accept ?? '').includes('text/html')
}

/** Text that a page shows as it is. */
function plainText(words: string): string {
  return words
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

const look = `<style>
body{font:16px/1.5 system-ui,sans-serif;margin:0;min-height:100vh;display:grid;place-items:center;background:Canvas;color:CanvasText}
main{max-width:24rem;padding:2rem}
h1{font-size:1.25rem;margin:0 0 .5rem}
p{margin:0 0 1rem}
label{display:block;margin:0 0 .25rem}
input{font:inherit;width:100%;box-sizing:border-box;padding:.5rem;margin:0 0 1rem}
button,a.button{font:inherit;display:inline-block;padding:.5rem 1rem}
:root{color-scheme:light dark}
</style>`

/** A page of the proxy's own, without a script and without anything from elsewhere. */
function page(title: string, body: string, head = ''): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><title>${plainText(title)}</title>${head}${look}</head><body><main><h1>${plainText(title)}</h1>${body}</main></body></html>\n`
}

export function pageOfRefusal(message: string): string {
  return page('This app cannot be shown', `<p>${plainText(message)}</p>`)
}

/** Goes on to the page that signs in; the link is for browsers that do not. */
export function pageOfEnter(url: string): string {
  const at = plainText(url)
  return page(
    'Sign in to see this app',
    `<p>Only people whom its project names may look.</p><p><a class="button" href="${at}">Sign in</a></p>`,
    `<meta http-equiv="refresh" content="0;url=${at}">`,
  )
}

export function pageOfPassword({
  return_path,
  wrong,
}: {
  readonly return_path: string
  readonly wrong: boolean
}): string {
  return page(
    'This app asks for a password',
    `${wrong ? '<p role="alert">The password is wrong.</p>' : ''}<form method="post" action="/.svc/password"><input type="hidden" name="return_path" value="${plainText(return_path)}"><label for="password">Password</label><input id="password" name="password" type="password" autocomplete="current-password" required autofocus><button>Open</button></form>`,
  )
}

/** Shown to a person while an app starts; it asks again by itself. An empty link is the same address, whatever its path begins with. */
export const pageOfStart = page(
  'This app is starting',
  '<p role="status">It was asleep, and is there in a moment. This page looks again by itself.</p><p><a class="button" href="">Look now</a></p>',
  '<meta http-equiv="refresh" content="2">',
)
