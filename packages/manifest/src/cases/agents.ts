import { manifestCapabilities } from '../capabilities.ts'
import { accept, agent, reject, rejectBeyondSchema } from './case.ts'
import type { Case } from './case.ts'

const behaviour = [
  'description',
  'model',
  'mode',
  'variant',
  'temperature',
  'top_p',
  'steps',
  'color',
  'hidden',
  'disable',
  'options',
  'permission',
  'prompt',
]

export const agentCases: readonly Case[] = [
  accept(
    'an agent with every key',
    agent(
      'enabled: true, sandbox: default, connectors: [docs], secrets: [KEY], skills: [s], connectors_required: [docs], svc_cli: [project.read], workspace: branch',
    ),
  ),
  reject('an agent is a map', agent('').replace('a: {  }', 'a: x'), 'agents.a'),
  reject('an agent is not left empty', agent('').replace('a: {  }', 'a:'), 'agents.a'),
  reject('`enabled` is a boolean: not text', agent("enabled: 'true'"), 'agents.a.enabled'),
  reject('`enabled` is a boolean: not a number', agent('enabled: 1'), 'agents.a.enabled'),
  reject('`sandbox` is a slug', agent('sandbox: Big One'), 'agents.a.sandbox'),
  rejectBeyondSchema('`sandbox` names a template', agent('sandbox: big'), 'agents.a.sandbox'),
  accept('`sandbox` may be `default`', agent('sandbox: default')),
  ...['connectors', 'secrets', 'skills'].flatMap((key) => [
    accept(`\`${key}\` may be \`all\``, agent(`${key}: all`)),
    accept(`\`${key}\` may be \`none\``, agent(`${key}: none`)),
    accept(`\`${key}\` may be an empty list`, agent(`${key}: []`)),
    reject(`\`${key}\` may be no other word`, agent(`${key}: some`), `agents.a.${key}`),
    reject(`\`${key}\` lists non-empty strings`, agent(`${key}: ['']`), `agents.a.${key}[0]`),
    reject(`\`${key}\` lists strings`, agent(`${key}: [5]`), `agents.a.${key}[0]`),
    reject(`\`${key}\` is no map`, agent(`${key}: { docs: true }`), `agents.a.${key}`),
  ]),
  accept(
    'a connector that nothing declares is a warning',
    agent('connectors: [docs, ghost]'),
    'warning agents.a.connectors[1]',
  ),
  accept(
    'a secret that nothing declares is a warning',
    agent('secrets: [KEY, OTHER]'),
    'warning agents.a.secrets[1]',
  ),
  accept('skills are not declared anywhere', agent('skills: [anything]')),
  accept('`connectors_required` lists connectors', agent('connectors_required: [docs]')),
  reject(
    '`connectors_required` may not be `all`',
    agent('connectors_required: all'),
    'agents.a.connectors_required',
  ),
  reject(
    '`connectors_required` lists non-empty strings',
    agent("connectors_required: ['']"),
    'agents.a.connectors_required[0]',
  ),
  accept(
    '`connectors_personal` is deprecated',
    agent('connectors_personal: [docs]'),
    'warning agents.a.connectors_personal',
  ),
  reject(
    '`connectors_personal` lists strings',
    agent('connectors_personal: [1]'),
    'warning agents.a.connectors_personal',
    'agents.a.connectors_personal[0]',
  ),
  accept('`svc_cli` may be `all`', agent('svc_cli: all')),
  accept('`svc_cli` may be `none`', agent('svc_cli: none')),
  accept(
    '`svc_cli` may hold every capability of the document',
    agent(`svc_cli: [${manifestCapabilities.map((one) => `'${one}'`).join(', ')}]`),
  ),
  reject(
    '`svc_cli` may hold no other capability',
    agent('svc_cli: [project.read, project.deploy]'),
    'agents.a.svc_cli[1]',
  ),
  reject(
    '`svc_cli` reads capabilities in their own case',
    agent('svc_cli: [Project.Read]'),
    'agents.a.svc_cli[0]',
  ),
  reject('`svc_cli` knows no patterns', agent("svc_cli: ['project.*']"), 'agents.a.svc_cli[0]'),
  reject('`svc_cli` is no single capability', agent('svc_cli: project.read'), 'agents.a.svc_cli'),
  ...['runtime', 'read', 'branch'].map((word) =>
    accept(`\`workspace\` may be \`${word}\``, agent(`workspace: ${word}`)),
  ),
  reject('`workspace` may be nothing else', agent('workspace: write'), 'agents.a.workspace'),
  ...behaviour.map((key) =>
    reject(`behaviour in the manifest is a hard error: \`${key}\``, agent(`${key}: x`), `agents.a.${key}`),
  ),
  reject('extra keys are a hard error', agent('conectors: all'), 'agents.a.conectors'),
]
