import { z } from 'zod'

/** The variables of the docker provider, for the apps that may run it. */
export const dockerSettings = {
  SVC_DOCKER_HOST: z
    .string()
    .regex(/^unix:\/\/\/\S+$/, 'must be unix:///path, an engine on this machine')
    .default('unix:///var/run/docker.sock')
    .describe('the Docker engine'),
  SVC_DOCKER_IMAGE: z
    .string()
    .regex(/^[a-z0-9][\w./:@-]*$/i, 'must be the name of an image')
    .default('svc-sandbox-base')
    .describe('the image that sandboxes start from; it has /bin/sh and git'),
  SVC_DOCKER_RUNTIME: z
    .string()
    .regex(/^[\w.-]+$/, 'must be the name of a runtime of the engine, such as runsc')
    .optional()
    .describe('the runtime of sandboxes, instead of the engine’s own'),
  SVC_DOCKER_BUILD_NETWORK: z
    .string()
    .regex(/^[\w.-]+$/, 'must be the name of a network of the engine')
    .default('none')
    .describe('the network of RUN lines in the Dockerfiles of templates'),
  SVC_DOCKER_IMAGE_DAYS: z.coerce
    .number()
    .int()
    .min(1)
    .max(3_650)
    .default(14)
    .describe('days after which an unused image of a template is removed'),
}

export type DockerSettings = z.infer<z.ZodObject<typeof dockerSettings>>
