import { accept, reject } from './case.ts'
import type { Case } from './case.ts'

const trigger = (lines: string) => `[[triggers]]\nslug = "t"\ntype = "cron"\nprompt = "x"\n${lines}\n`
const midnight = 'cron = "0 0 0 * * *"'

export const legacyCases: readonly Case[] = [
  accept('an empty file', ''),
  accept('`svc_version` may be 1', 'svc_version = 1\n'),
  reject('`svc_version` may not be 2', 'svc_version = 2\n', 'svc_version'),
  reject('`svc_version` may not be 3', 'svc_version = 3\n', 'svc_version'),
  accept('agents as tables', '[agents.builder]\nskills = "all"\nmodel = "a/b"\n'),
  accept('agents as a list', '[[agents]]\nname = "builder"\n'),
  reject('a listed agent has a name', '[[agents]]\nskills = "all"\n', 'agents[0].name'),
  reject(
    'listed agents have names of their own',
    '[[agents]]\nname = "b"\n[[agents]]\nname = "b"\n',
    'agents[1].name',
  ),
  reject('agents by the rules of version 2', '[agents.b]\nworkspace = "write"\n', 'agents.b.workspace'),
  accept(
    'unknown tables are allowed',
    '[anything]\ngoes = true\n[[sandboxes]]\nslug = "x"\n[channels]\nx = 1\n',
  ),
  accept('`[env].optional`', '[env]\noptional = ["KEY"]\n'),
  reject('env names by the rules of version 2', '[env]\noptional = ["KEY", "1A"]\n', 'env.optional[1]'),
  accept('the runtime’s table', '[opencode]\nconfig_dir = ".opencode"\n'),
  accept('a trigger', trigger(midnight)),
  accept(
    'a trigger under its aliases',
    '[[triggers]]\nslug = "t"\ntype = "cron"\nprompt_template = "x"\nschedule = "0 0 0 * * *"\nagent_name = "anyone"\n',
  ),
  accept('a TOML date for `run_at`', trigger('run_at = 2030-01-31T09:00:00Z')),
  reject('a trigger by the rules of version 2', trigger('cron = "0 0 * * *"'), 'triggers[0].cron'),
  reject('a trigger that lacks its time', trigger(''), 'triggers[0].cron'),
  reject('repeated slugs', trigger(midnight) + trigger(midnight), 'triggers[1].slug'),
  reject('a syntax error', 'a = \n', ''),
  reject('a duplicate key', 'a = 1\na = 2\n', ''),
  reject('the key `constructor`', '[constructor]\nx = 1\n', 'constructor'),
]
