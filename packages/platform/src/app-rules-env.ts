import type { AppPlatform, AppProvider } from '@svc/app'
import { z } from 'zod'

const bound = (what: string, max: number) =>
  z.coerce.number().int().min(1).max(max).optional().describe(`the most ${what} that an app may ask for`)

const price = (usd: number, what: string) =>
  z.coerce.number().min(0).max(1000).default(usd).describe(`dollars for an hour of ${what} of a running app`)

/** The rules of the operator for apps that run. */
export const appRulesEnv = {
  SVC_APPS_BUILDS: z.coerce.number().int().min(1).max(64).default(2).describe('builds of apps at a time'),
  SVC_APPS_START_SECONDS: z.coerce
    .number()
    .int()
    .min(1)
    .max(3600)
    .default(120)
    .describe('how long an app may take to answer after its start'),
  SVC_APPS_BUDGET_USD: z.coerce
    .number()
    .min(0)
    .max(1_000_000)
    .optional()
    .describe('what an app without monthly_budget_usd may cost in a month; without it as much as it runs'),
  SVC_APPS_USD_CPU_HOUR: price(0.03, 'a core'),
  SVC_APPS_USD_GB_HOUR: price(0.01, 'a gigabyte of memory'),
  SVC_APPS_MAX_CPU: bound('cores', 64),
  SVC_APPS_MAX_MEMORY_GB: bound('gigabytes of memory', 512),
  SVC_APPS_MAX_DISK_GB: bound('gigabytes of disk', 2048),
} as const

type AppRulesEnv = z.infer<z.ZodObject<typeof appRulesEnv>>

const micros = (usd: number) => Math.round(usd * 1_000_000)

/** The rules that settings say, on a platform whose apps are made and run by this. */
export function appRules(
  env: AppRulesEnv,
  { dockerfiles, ...provider }: AppProvider & { readonly dockerfiles: boolean },
): AppPlatform {
  return {
    provider,
    dockerfiles,
    max: {
      cpu: env.SVC_APPS_MAX_CPU ?? null,
      memory_gb: env.SVC_APPS_MAX_MEMORY_GB ?? null,
      disk_gb: env.SVC_APPS_MAX_DISK_GB ?? null,
    },
    budget_micros: env.SVC_APPS_BUDGET_USD === undefined ? null : micros(env.SVC_APPS_BUDGET_USD),
    prices: {
      cpu_hour_micros: micros(env.SVC_APPS_USD_CPU_HOUR),
      gb_hour_micros: micros(env.SVC_APPS_USD_GB_HOUR),
    },
  }
}
