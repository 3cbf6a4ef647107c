// Loads the sizes of architecture 7 into a migrated, empty database, to look at it by hand:
//   GATEHOUSE_DATABASE_ADMIN_URL=… GATEHOUSE_MASTER_KEYS=… node bench/load-scale.ts [--short]
import { parseMasterKeys } from '../server/src/platform/config/index.ts'
import { fullSizes, loadScale, scalePassword, shortSizes } from './load/index.ts'

const { GATEHOUSE_DATABASE_ADMIN_URL: adminUrl, GATEHOUSE_MASTER_KEYS: masterKeys } = process.env
if (!adminUrl || !masterKeys) throw new Error('set GATEHOUSE_DATABASE_ADMIN_URL and GATEHOUSE_MASTER_KEYS')
const sizes = process.argv.includes('--short') ? shortSizes : fullSizes
await loadScale({ adminUrl, sizes, masterKeys: parseMasterKeys(masterKeys), log: console.log })
console.log(`Every user, and the user admin of every realm, has the password ${scalePassword}`)
