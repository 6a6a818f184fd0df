import { counter, gauge, histogram, ofRequests, ofWork, ownedBy } from './metric-family.ts'

/** Measures of the model gateway. */
export const gatewayFamilies = ownedBy(['gateway'], {
  svc_model_request_duration_seconds: histogram(
    ['model', 'outcome'],
    'Time of a request of an agent to a model, to the end of the answer.',
    'Is the provider slow or failing?',
    ofWork,
    { outcome: ['done', 'refused', 'failed', 'left'] },
  ),
  svc_model_first_token_seconds: histogram(
    ['model'],
    'Time until the first bytes of an answer.',
    'Is the provider slow?',
    ofWork,
  ),
  svc_model_tokens_total: counter(
    ['model', 'kind'],
    'Tokens that the provider reported.',
    'Is the provider dear?',
    { kind: ['input', 'output'] },
  ),
  svc_model_cost_micros_total: counter(
    ['model'],
    'Cost of the calls that ended, in micro-dollars.',
    'What do the models cost?',
  ),
  svc_model_overrun_micros_total: counter(
    ['model'],
    'Cost above what was set aside, which no budget was charged, in micro-dollars.',
    'Does a provider break the limits that it is given?',
  ),
  svc_model_held_micros: gauge(
    [],
    'Micro-dollars that the calls which run hold of their budgets.',
    'Do running calls close a budget?',
  ),
  svc_model_refusals_total: counter(
    ['code'],
    'Calls that were refused before a provider was asked.',
    'Which budgets, plans and lists stop the agents?',
  ),
  svc_model_added_seconds: histogram(
    [],
    'Time of the gateway itself, until the provider is asked.',
    'Is the gateway slow?',
    ofRequests,
  ),
})
