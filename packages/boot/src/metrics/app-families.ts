import { counter, gauge, histogram, ofRequests, ofWork, ownedBy } from './metric-family.ts'

/** Families of apps. No label names an app. */
export const appFamilies = {
  ...ownedBy(['app-proxy'], {
    svc_app_requests_total: counter(['class'], 'Answers of apps, by their first digit.', 'Do apps answer?', {
      class: ['1xx', '2xx', '3xx', '4xx', '5xx'],
    }),
    svc_app_proxy_seconds: histogram(
      [],
      'Time from a request of an app to the end of its answer.',
      'Are apps slow?',
      ofRequests,
    ),
    svc_app_wake_seconds: histogram(
      [],
      'Time that a visitor was held until an app that slept answered.',
      'How long do visitors wait for an app?',
      ofWork,
    ),
  }),
  ...ownedBy(['app-worker'], {
    svc_app_instances: gauge(['state'], 'Instances of apps that are not over.', 'What do apps hold?', {
      state: ['starting', 'healthy', 'draining'],
    }),
    svc_app_release_seconds: histogram(
      ['type', 'status'],
      'Time from the wish for a release to its end.',
      'How long until a merge is live?',
      ofWork,
      { type: ['static', 'bundle', 'dockerfile', 'oci_image'], status: ['ready', 'failed', 'cancelled'] },
    ),
  }),
}
