import type { Context } from 'hono'
import type { AppEnv } from '../../parts.ts'

const page = (title: string, main: string) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<h1>${title}</h1>
${main}
</html>
`

const pages = {
  // The form posts to the address of the page, with its token.
  ask: page(
    'No more mails?',
    '<p>You will get no mails with notifications. The list in the dashboard, and mails with codes, stay.</p>\n<form method="post"><button>No more mails</button></form>',
  ),
  done: page(
    'No more mails',
    '<p>You get no mails with notifications from now on. In the dashboard, under Notifications, you can turn each kind on again.</p>',
  ),
}

/** The page behind the link of a mail: what is asked, or that it is done. */
export function unsubscribePage(c: Context<AppEnv>, what: keyof typeof pages) {
  c.header(
    'Content-Security-Policy',
    "default-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  )
  c.header('Referrer-Policy', 'no-referrer')
  c.header('Cache-Control', 'no-store')
  return c.html(pages[what], 200)
}
