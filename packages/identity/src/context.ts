import type { BaseContext, Context, Settings } from '@svc/context'
import type { MailTransport } from '@svc/mail'
import type { TxtLookup } from './domains/txt-lookup.ts'
import type { SsoProviders } from './sign-in/sso/providers.ts'

/** Settings of how people sign in. */
export interface IdentitySettings extends Settings {
  /** `open`: every person may sign up; `invited`, also when absent: only a person whom an account invited. */
  readonly sign_up?: 'open' | 'invited' | undefined
  /** The page that links in mails lead to; the platform's own when absent. */
  readonly sign_in_url?: string | undefined
  /** Addresses, in lower case, whose people run the platform once they have signed in; none when absent. */
  readonly platform_admins?: readonly string[] | undefined
  /** Ranges of private addresses at which OpenID providers of accounts may be; none when absent. */
  readonly issuer_addresses?: readonly string[] | undefined
}

/** The context of a process in which people sign in. */
export interface IdentityBase extends BaseContext {
  readonly settings: IdentitySettings
  /** Absent where no mail is sent. */
  readonly mail?: MailTransport | undefined
  /** Other providers that sign people in; absent where there are none. */
  readonly sso?: SsoProviders | undefined
  /** Looks up mail domains; the name servers of the machine do when absent. */
  readonly txt_lookup?: TxtLookup | undefined
}

/** Everything that a verb of the identity may reach. */
export interface IdentityContext
  extends IdentityBase, Pick<Context, 'principal' | 'signal' | 'trail' | 'report_rate'> {}
