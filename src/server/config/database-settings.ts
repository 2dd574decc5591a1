/** The settings for the addresses of the database. */
import { choiceSetting, urlSetting, wholeNumberSetting } from './setting.ts'

const postgres = ['postgres:', 'postgresql:']

export const databaseSettings = {
  databaseUrl: urlSetting('DATABASE_URL', postgres, {
    fallback: 'none: embedded PostgreSQL (PGlite) in DATA_DIR',
    meaning: 'a PostgreSQL server',
  }),
  databaseDirectUrl: urlSetting('DATABASE_DIRECT_URL', postgres, {
    fallback: 'as DATABASE_URL',
    meaning:
      'the same database past a pooler such as PgBouncer in transaction mode, for notifications, migrations and backups; where it differs from DATABASE_URL, statements have no names',
  }),
  databaseReplicaUrl: urlSetting('DATABASE_REPLICA_URL', postgres, {
    meaning:
      'a streaming replica for public reads (community, previews, prices, the site itself); used while it is at most a second behind, and never for who has just written',
  }),
  activityKeepDays: wholeNumberSetting(
    'ACTIVITY_KEEP_DAYS',
    { min: 0, max: 36_500 },
    {
      fallback: '730',
      meaning:
        'how long the activity log is kept, in whole months once they are past it; 0 keeps it for ever',
    },
  ),
  embeddedSync: choiceSetting('EMBEDDED_SYNC', ['on', 'off'], {
    fallback: 'on',
    meaning:
      "'on': a commit of the embedded database is on the disk before it is acknowledged; 'off': acknowledged writes survive a killed process, but a power cut may lose the last seconds and leave a database that does not open",
  }),
}
