import { html, singleLine } from './html.ts'
import { type Asking, asks, page, problemOf } from './pages.ts'

/** A form that led elsewhere would be stopped by browsers, and a link shows where it leads. */
export function providerPage(url: URL): string {
  return page(
    'Single sign-on',
    html`<p>You sign in at <strong>${singleLine(url.host)}</strong> and come back here.</p>
      <p><a href="${url.href}">Continue at ${singleLine(url.host)}</a></p>`,
  )
}

/** Back from a provider: a person with a second factor here gives it as well. */
export function providerDonePage(action: string, asking: Asking, problem: string | null): string {
  return page(
    'Single sign-on',
    html`${problemOf(problem)}
      <p>
        ${asking.own ? null : html`${asks(asking)} wants to act for you. `}Your provider has signed you in.
      </p>
      <form method="post" action="${action}" autocomplete="off">
        <label for="totp_code">Two-factor code, if you use one here</label>
        <input id="totp_code" name="totp_code" inputmode="numeric" autocomplete="one-time-code" />
        <button name="step" value="sso-done">Continue</button>
        <button class="plain" name="step" value="deny">Cancel</button>
      </form>`,
  )
}
