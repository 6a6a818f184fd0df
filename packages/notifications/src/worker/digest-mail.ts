import { pageUrl, type Settings } from '@svc/context'
import type { NotificationRow } from '@svc/db'
import type { Mail } from '@svc/mail'

const shown = 10

export interface Digest {
  readonly digest_id: string
  readonly email: string
  /** The newest first. */
  readonly notifications: readonly NotificationRow[]
  readonly unsubscribe_token: string
}

/** One mail with what a person did not read yet, the same each time that it is made. */
export function digestMail(settings: Pick<Settings, 'api_url'>, digest: Digest): Mail {
  const { digest_id, email, notifications, unsubscribe_token } = digest
  const items = notifications.slice(0, shown).map((row) => ({
    title: row.title,
    text: row.text,
    url: pageUrl(settings, row.path),
  }))
  const more = notifications.length - items.length
  const rest = more > 0 ? `and ${more} more` : null
  const unsubscribe = new URL('/v1/notifications/unsubscribe', settings.api_url)
  unsubscribe.searchParams.set('token', unsubscribe_token)
  const settings_url = pageUrl(settings, '/notifications/settings')
  const [first] = items
  const subject =
    notifications.length === 1 && first !== undefined
      ? `${first.title}: ${first.text}`
      : `${notifications.length} notifications`
  return {
    to: email,
    subject: subject.length <= 150 ? subject : `${subject.slice(0, 149)}…`,
    text: [
      ...items.map(({ title, text, url }) => `${title}\n${text}\n${url}\n`),
      ...(rest === null ? [] : [`${rest}: ${pageUrl(settings, '/notifications')}\n`]),
      `-- \nSettings: ${settings_url}\nNo more mails: ${unsubscribe.href}\n`,
    ].join('\n'),
    html: [
      '<!doctype html><html lang="en"><body>',
      ...items.map(
        ({ title, text, url }) =>
          `<p><a href="${escaped(url)}"><strong>${escaped(title)}</strong></a><br>${escaped(text)}</p>`,
      ),
      ...(rest === null
        ? []
        : [`<p><a href="${escaped(pageUrl(settings, '/notifications'))}">${rest}</a></p>`]),
      `<hr><p><small><a href="${escaped(settings_url)}">Settings</a> · <a href="${escaped(unsubscribe.href)}">No more mails</a></small></p>`,
      '</body></html>',
    ].join('\n'),
    message_id: `${digest_id}@${new URL(settings.api_url).hostname}`,
    headers: {
      // RFC 8058: readers of mail show a button, which posts without asking anything.
      'List-Unsubscribe': `<${unsubscribe.href}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      // RFC 3834: no automatic answer is wanted.
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
    },
  }
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
