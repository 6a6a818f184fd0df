import type { IncomingMessage } from 'node:http'
import { dashboardClient, dashboardName } from '@svc/identity'
import type { ClientMetadata } from 'oidc-provider'
import { header } from '../door/visit.ts'
import type { Asking } from './pages.ts'

/**
 * The address at which the dashboard waits for its answer: one of the platform's own origin, whatever address it was
 * asked from.
 */
export function dashboardRedirect(issuer: string): string {
  return `${issuer}/dashboard/signed-in`
}

/** The dashboard, which every platform knows. A site rather than a program, so that its address is compared letter by letter. */
export function dashboardMetadata(issuer: string): ClientMetadata {
  return {
    client_id: dashboardClient,
    client_name: dashboardName,
    application_type: 'web',
    redirect_uris: [dashboardRedirect(issuer)],
    grant_types: ['authorization_code', 'refresh_token'],
  }
}

/** True when the answer goes only to pages that this platform serves itself. */
export function isOwnPage(issuer: string, client_id: string, redirect_uri: string): boolean {
  return client_id === dashboardClient && redirect_uri === dashboardRedirect(issuer)
}

/**
 * True when a consent would say nothing. A consent asks whether some app may act for a person; the dashboard is what
 * the person signs in to, no stranger chose its name, and its answer reaches this origin alone. A frame, or a script
 * that fetches in the background, still meets the question: only a page that the person sees goes on by itself.
 */
export function needsNoConsent(req: IncomingMessage, { own }: Asking): boolean {
  return own && header(req, 'sec-fetch-dest') === 'document'
}
