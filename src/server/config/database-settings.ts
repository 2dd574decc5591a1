/** The settings for the addresses of the database. */
import { choiceSetting, urlSetting, wholeNumberSetting } from './setting.ts'

const postgres = ['postgres:', 'postgresql:']

export const databaseSettings = {
  databaseUrl: urlSetting('DATABASE_URL', postgres, {
    fallback: 'none: embedded PostgreSQL (PGlite) in DATA_DIR',
    meaning: 'a PostgreSQL server',
  }),
  databaseDirectUrl: urlSetting('DATABASE_DIRECT_URL', postgres, {
    fallback: 'DATABASE_URL',
    meaning:
      'a direct connection to the same database, for notifications, migrations and backups, if DATABASE_URL is a pooler such as PgBouncer in transaction mode; if it differs from DATABASE_URL, prepared statements have no names',
  }),
  databaseReplicaUrl: urlSetting('DATABASE_REPLICA_URL', postgres, {
    meaning:
      'a streaming replica for public reads (community, previews, prices, the site itself); used while it is at most one second behind, and not for an account that has just written',
  }),
  activityKeepDays: wholeNumberSetting(
    'ACTIVITY_KEEP_DAYS',
    { min: 0, max: 36_500 },
    {
      fallback: '730',
      meaning:
        'how many days the activity log is kept; whole months are deleted; 0 keeps it for ever',
    },
  ),
  embeddedSync: choiceSetting('EMBEDDED_SYNC', ['on', 'off'], {
    fallback: 'on',
    meaning:
      "'on': the embedded database writes each commit to disk before it acknowledges it; 'off': acknowledged writes survive a killed process, but a power cut may lose the last seconds and leave a database that does not open",
  }),
}
