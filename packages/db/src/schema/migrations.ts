import { type MigrationFile, numbered } from './migration.ts'
import * as initial from '../migrations/20261120T1900-initial.ts'
import * as sessions from '../migrations/20261121T1900-sessions.ts'
import * as triggers from '../migrations/20261121T2000-triggers.ts'
import * as warmPool from '../migrations/20261121T2030-warm-pool.ts'
import * as monitors from '../migrations/20261121T2035-monitors.ts'
import * as triggerModels from '../migrations/20261121T2040-trigger-models.ts'
import * as access from '../migrations/20261121T2045-access.ts'
import * as signIn from '../migrations/20261122T0010-sign-in.ts'
import * as oauth from '../migrations/20261122T0015-oauth.ts'
import * as scim from '../migrations/20261122T0300-scim.ts'
import * as secrets from '../migrations/20261122T0310-secrets.ts'
import * as accountSso from '../migrations/20261122T0700-account-sso.ts'
import * as governance from '../migrations/20261122T0710-governance.ts'
import * as sessionRevisions from '../migrations/20261122T0720-session-revisions.ts'
import * as retention from '../migrations/20261122T0820-retention.ts'
import * as ownWork from '../migrations/20261123T0200-own-work.ts'
import * as secretsOwed from '../migrations/20261123T0200-secrets-owed.ts'
import * as gatewayOptIn from '../migrations/20261123T0210-gateway-opt-in.ts'
import * as providerEdge from '../migrations/20261123T0220-provider-edge.ts'
import * as previews from '../migrations/20261123T0310-previews.ts'
import * as owingSandboxes from '../migrations/20261123T0311-owing-sandboxes.ts'
import * as sealedEndpoint from '../migrations/20261123T0340-sealed-endpoint.ts'
import * as promptSources from '../migrations/20261123T0350-prompt-sources.ts'
import * as attemptCounts from '../migrations/20261123T0940-attempt-counts.ts'
import * as firesByStatus from '../migrations/20261123T1300-fires-by-status.ts'
import * as schemaState from '../migrations/20261123T1400-schema-state.ts'
import * as lastStatus from '../migrations/20261123T1500-last-status.ts'
import * as repositories from '../migrations/20261124T1700-repositories.ts'
import * as maintenance from '../migrations/20261124T1750-maintenance.ts'
import * as processConnections from '../migrations/20261124T1800-process-connections.ts'
import * as owedSandboxes from '../migrations/20261124T1810-owed-sandboxes.ts'
import * as sweepIndexes from '../migrations/20261124T1811-sweep-indexes.ts'
import * as owedBefore from '../migrations/20261124T1812-owed-before.ts'
import * as removedSessions from '../migrations/20261124T1813-removed-sessions.ts'
import * as eventTimes from '../migrations/20261124T1814-event-times.ts'
import * as eventKeys from '../migrations/20261124T1815-event-keys.ts'
import * as eventPartitions from '../migrations/20261124T1816-event-partitions.ts'
import * as platformAdmins from '../migrations/20261124T1840-platform-admins.ts'
import * as platformAdminsIndex from '../migrations/20261124T1841-platform-admins-index.ts'
import * as operatorViews from '../migrations/20261124T1842-operator-views.ts'
import * as operatorIndexes from '../migrations/20261124T1843-operator-indexes.ts'
import * as jobFailures from '../migrations/20261124T1844-job-failures.ts'
import * as unsavedWork from '../migrations/20261124T1910-unsaved-work.ts'
import * as unsavedIndex from '../migrations/20261124T1911-unsaved-index.ts'
import * as checkRuns from '../migrations/20261124T1912-check-runs.ts'
import * as operatedAccounts from '../migrations/20261124T1940-operated-accounts.ts'
import * as operatedAccountsIndexes from '../migrations/20261124T1941-operated-accounts-indexes.ts'
import * as unreachedMonitors from '../migrations/20261124T2000-unreached-monitors.ts'
import * as browserSessions from '../migrations/20261124T2010-browser-sessions.ts'
import * as sessionAsks from '../migrations/20261124T2011-session-asks.ts'
import * as sessionCosts from '../migrations/20261124T2012-session-costs.ts'
import * as catalogueManifests from '../migrations/20261124T2013-catalogue-manifests.ts'
import * as inboxMarks from '../migrations/20261124T2014-inbox-marks.ts'
import * as inboxIndexes from '../migrations/20261124T2015-inbox-indexes.ts'
import * as changeNotices from '../migrations/20261124T2016-change-notices.ts'
import * as eventArchives from '../migrations/20261124T2100-event-archives.ts'
import * as savedCheckpoints from '../migrations/20261124T2101-saved-checkpoints.ts'
import * as savedCheckpointsIndex from '../migrations/20261124T2102-saved-checkpoints-index.ts'
import * as promptTraces from '../migrations/20261124T2110-prompt-traces.ts'
import * as backups from '../migrations/20261124T2120-backups.ts'
import * as gatewayCalls from '../migrations/20261125T1400-gateway-calls.ts'
import * as gatewayBudgets from '../migrations/20261125T1401-gateway-budgets.ts'
import * as credit from '../migrations/20261125T1402-credit.ts'
import * as gatewaySettle from '../migrations/20261125T1403-gateway-settle.ts'
import * as gatewayAdmit from '../migrations/20261125T1404-gateway-admit.ts'
import * as gatewayProviders from '../migrations/20261125T1600-gateway-providers.ts'
import * as rotatedKeys from '../migrations/20261125T1700-rotated-keys.ts'
import * as gatewayWouldAdmit from '../migrations/20261125T1701-gateway-would-admit.ts'
import * as fireCodes from '../migrations/20261125T1702-fire-codes.ts'
import * as reportedCosts from '../migrations/20261125T1703-reported-costs.ts'
import * as plansOfOperators from '../migrations/20261125T1720-plans-of-operators.ts'
import * as refusingBudgets from '../migrations/20261125T1721-refusing-budgets.ts'
import * as refusingBudgetsIndex from '../migrations/20261125T1722-refusing-budgets-index.ts'
import * as payments from '../migrations/20261125T1723-payments.ts'
import * as connectors from '../migrations/20261125T2200-connectors.ts'
import * as reviewItems from '../migrations/20261125T2300-review-items.ts'
import * as runningCallsIndex from '../migrations/20261125T2320-running-calls-index.ts'
import * as quickAdmissions from '../migrations/20261125T2321-quick-admissions.ts'
import * as oneIndexOfLiveCalls from '../migrations/20261125T2322-one-index-of-live-calls.ts'
import * as callBodies from '../migrations/20261125T2323-call-bodies.ts'
import * as subscriptions from '../migrations/20261125T2324-subscriptions.ts'
import * as providerLists from '../migrations/20261125T2325-provider-lists.ts'
import * as branding from '../migrations/20261126T0700-branding.ts'
import * as platformEvents from '../migrations/20261126T0810-platform-events.ts'
import * as eventSubscriptions from '../migrations/20261126T0811-event-subscriptions.ts'
import * as contentCalls from '../migrations/20261126T0900-content-calls.ts'
import * as cataloguesAnew from '../migrations/20261127T0100-catalogues-anew.ts'
import * as apps from '../migrations/20261128T0100-apps.ts'
import * as harnesses from '../migrations/20261129T0100-harnesses.ts'
import * as computers from '../migrations/20261130T0100-computers.ts'
import * as connectorNotices from '../migrations/20261130T0101-connector-notices.ts'
import * as notifications from '../migrations/20261201T0100-notifications.ts'
import * as appHistory from '../migrations/20261201T0200-app-history.ts'
import * as appFileDigests from '../migrations/20261201T0201-app-file-digests.ts'
import * as appBrotliDigests from '../migrations/20261201T0202-app-brotli-digests.ts'
import * as appGzipDigests from '../migrations/20261201T0203-app-gzip-digests.ts'
import * as channels from '../migrations/20261202T0100-channels.ts'
import * as mailAddresses from '../migrations/20261203T0100-mail-addresses.ts'
import * as mailTokens from '../migrations/20261203T0101-mail-tokens.ts'
import * as channelFiles from '../migrations/20261203T0200-channel-files.ts'
import * as waitingIndexes from '../migrations/20261203T0301-inbox-indexes.ts'
import * as appInstances from '../migrations/20261203T0400-app-instances.ts'
import * as appArchiveDigests from '../migrations/20261203T0401-app-archive-digests.ts'
import * as appLinesAt from '../migrations/20261203T0402-app-lines-at.ts'
import * as channelNotices from '../migrations/20261203T0501-channel-notices.ts'
import * as machineHarnesses from '../migrations/20261203T0600-machine-harnesses.ts'
import * as channelWords from '../migrations/20261204T0100-channel-words.ts'
import * as appMonthRequests from '../migrations/20261204T0200-app-month-requests.ts'
import * as appWakes from '../migrations/20261206T0100-app-wakes.ts'
import * as appRolloutsCancelled from '../migrations/20261206T0101-app-rollouts-cancelled.ts'
import * as backupGaps from '../migrations/20261207T0100-backup-gaps.ts'
import * as runningCalls from '../migrations/20261208T0100-running-calls.ts'
import * as machineDoors from '../migrations/20261208T0200-machine-doors.ts'
import * as begunPresses from '../migrations/20261210T0100-begun-presses.ts'
import * as channelPages from '../migrations/20261212T0100-channel-pages.ts'

const files: Readonly<Record<string, MigrationFile>> = {
  '20261120T1900-initial': initial,
  '20261121T1900-sessions': sessions,
  '20261121T2000-triggers': triggers,
  '20261121T2030-warm-pool': warmPool,
  '20261121T2035-monitors': monitors,
  '20261121T2040-trigger-models': triggerModels,
  '20261121T2045-access': access,
  '20261122T0010-sign-in': signIn,
  '20261122T0015-oauth': oauth,
  '20261122T0300-scim': scim,
  '20261122T0310-secrets': secrets,
  '20261122T0700-account-sso': accountSso,
  '20261122T0710-governance': governance,
  '20261122T0720-session-revisions': sessionRevisions,
  '20261122T0820-retention': retention,
  '20261123T0200-own-work': ownWork,
  '20261123T0200-secrets-owed': secretsOwed,
  '20261123T0210-gateway-opt-in': gatewayOptIn,
  '20261123T0220-provider-edge': providerEdge,
  '20261123T0310-previews': previews,
  '20261123T0311-owing-sandboxes': owingSandboxes,
  '20261123T0340-sealed-endpoint': sealedEndpoint,
  '20261123T0350-prompt-sources': promptSources,
  '20261123T0940-attempt-counts': attemptCounts,
  '20261123T1300-fires-by-status': firesByStatus,
  '20261123T1400-schema-state': schemaState,
  '20261123T1500-last-status': lastStatus,
  '20261124T1700-repositories': repositories,
  '20261124T1750-maintenance': maintenance,
  '20261124T1800-process-connections': processConnections,
  '20261124T1810-owed-sandboxes': owedSandboxes,
  '20261124T1811-sweep-indexes': sweepIndexes,
  '20261124T1812-owed-before': owedBefore,
  '20261124T1813-removed-sessions': removedSessions,
  '20261124T1814-event-times': eventTimes,
  '20261124T1815-event-keys': eventKeys,
  '20261124T1816-event-partitions': eventPartitions,
  '20261124T1840-platform-admins': platformAdmins,
  '20261124T1841-platform-admins-index': platformAdminsIndex,
  '20261124T1842-operator-views': operatorViews,
  '20261124T1843-operator-indexes': operatorIndexes,
  '20261124T1844-job-failures': jobFailures,
  '20261124T1910-unsaved-work': unsavedWork,
  '20261124T1911-unsaved-index': unsavedIndex,
  '20261124T1912-check-runs': checkRuns,
  '20261124T1940-operated-accounts': operatedAccounts,
  '20261124T1941-operated-accounts-indexes': operatedAccountsIndexes,
  '20261124T2000-unreached-monitors': unreachedMonitors,
  '20261124T2010-browser-sessions': browserSessions,
  '20261124T2011-session-asks': sessionAsks,
  '20261124T2012-session-costs': sessionCosts,
  '20261124T2013-catalogue-manifests': catalogueManifests,
  '20261124T2014-inbox-marks': inboxMarks,
  '20261124T2015-inbox-indexes': inboxIndexes,
  '20261124T2016-change-notices': changeNotices,
  '20261124T2100-event-archives': eventArchives,
  '20261124T2101-saved-checkpoints': savedCheckpoints,
  '20261124T2102-saved-checkpoints-index': savedCheckpointsIndex,
  '20261124T2110-prompt-traces': promptTraces,
  '20261124T2120-backups': backups,
  '20261125T1400-gateway-calls': gatewayCalls,
  '20261125T1401-gateway-budgets': gatewayBudgets,
  '20261125T1402-credit': credit,
  '20261125T1403-gateway-settle': gatewaySettle,
  '20261125T1404-gateway-admit': gatewayAdmit,
  '20261125T1600-gateway-providers': gatewayProviders,
  '20261125T1700-rotated-keys': rotatedKeys,
  '20261125T1701-gateway-would-admit': gatewayWouldAdmit,
  '20261125T1702-fire-codes': fireCodes,
  '20261125T1703-reported-costs': reportedCosts,
  '20261125T1720-plans-of-operators': plansOfOperators,
  '20261125T1721-refusing-budgets': refusingBudgets,
  '20261125T1722-refusing-budgets-index': refusingBudgetsIndex,
  '20261125T1723-payments': payments,
  '20261125T2200-connectors': connectors,
  '20261125T2300-review-items': reviewItems,
  '20261125T2320-running-calls-index': runningCallsIndex,
  '20261125T2321-quick-admissions': quickAdmissions,
  '20261125T2322-one-index-of-live-calls': oneIndexOfLiveCalls,
  '20261125T2323-call-bodies': callBodies,
  '20261125T2324-subscriptions': subscriptions,
  '20261125T2325-provider-lists': providerLists,
  '20261126T0700-branding': branding,
  '20261126T0810-platform-events': platformEvents,
  '20261126T0811-event-subscriptions': eventSubscriptions,
  '20261126T0900-content-calls': contentCalls,
  '20261127T0100-catalogues-anew': cataloguesAnew,
  '20261128T0100-apps': apps,
  '20261129T0100-harnesses': harnesses,
  '20261130T0100-computers': computers,
  '20261130T0101-connector-notices': connectorNotices,
  '20261201T0100-notifications': notifications,
  '20261201T0200-app-history': appHistory,
  '20261201T0201-app-file-digests': appFileDigests,
  '20261201T0202-app-brotli-digests': appBrotliDigests,
  '20261201T0203-app-gzip-digests': appGzipDigests,
  '20261202T0100-channels': channels,
  '20261203T0100-mail-addresses': mailAddresses,
  '20261203T0101-mail-tokens': mailTokens,
  '20261203T0200-channel-files': channelFiles,
  '20261203T0301-inbox-indexes': waitingIndexes,
  '20261203T0400-app-instances': appInstances,
  '20261203T0401-app-archive-digests': appArchiveDigests,
  '20261203T0402-app-lines-at': appLinesAt,
  '20261203T0501-channel-notices': channelNotices,
  '20261203T0600-machine-harnesses': machineHarnesses,
  '20261204T0100-channel-words': channelWords,
  '20261204T0200-app-month-requests': appMonthRequests,
  '20261206T0100-app-wakes': appWakes,
  '20261206T0101-app-rollouts-cancelled': appRolloutsCancelled,
  '20261207T0100-backup-gaps': backupGaps,
  '20261208T0100-running-calls': runningCalls,
  '20261208T0200-machine-doors': machineDoors,
  '20261210T0100-begun-presses': begunPresses,
  '20261212T0100-channel-pages': channelPages,
}

/** Every migration of this build, in the order in which they run. New ones go to the end. */
export const migrations = numbered(files)
