import { type Config, type Environment, loadConfig } from '../../config/config.ts'

/**
 * The settings of the demo: a folder of its own, and the environment. No file is read, not even one that the environment names:
 * it is the one of the service in earnest, with its database and its key.
 */
export function demoConfig(env: Environment): Config {
  return loadConfig({ AERIE_DATA_DIR: './data/demo', AERIE_LOG_LEVEL: 'error', ...env, AERIE_CONFIG: undefined })
}
