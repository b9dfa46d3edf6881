import { auditCommand } from './audit/command.ts';
import { authCommand } from './auth/command.ts';
import { callCommand } from './call/command.ts';
import { checkpointCommand } from './checkpoint/command.ts';
import { codegenCommand } from './codegen/command.ts';
import { completionCommand } from './completion/command.ts';
import { configCommand } from './config/command.ts';
import type { CommandDefinition } from './define.ts';
import { doctorCommand } from './doctor/command.ts';
import { exportCommand } from './export/command.ts';
import { importCommand } from './import/command.ts';
import { indexCommand } from './index/command.ts';
import { initCommand } from './init/command.ts';
import { metricsCommand } from './metrics/command.ts';
import { mlCommand } from './ml/command.ts';
import { pinsCommand } from './pins/command.ts';
import { probeCommand } from './probe/command.ts';
import { ragCommand } from './rag/command.ts';
import { searchCommand } from './search/command.ts';
import { serveCommand } from './serve/command.ts';
import { sharedGatewayCommand } from './shared-gateway/command.ts';
import { statusCommand } from './status/command.ts';
import { stdioCommand } from './stdio/command.ts';
import { stopCommand } from './stop/command.ts';
import { syncCommand } from './sync/command.ts';
import { tasksCommand } from './tasks/command.ts';
import { tokenCommand } from './token/command.ts';
import { toolsCommand } from './tools/command.ts';
import { trustCommand } from './trust/command.ts';
import { undoCommand } from './undo/command.ts';
import { whyCommand } from './why/command.ts';

/** All commands of the program, in the order of `viaduct --help`. */
export const COMMANDS: readonly CommandDefinition[] = [
  stdioCommand,
  serveCommand,
  statusCommand,
  stopCommand,
  toolsCommand,
  doctorCommand,
  whyCommand,
  callCommand,
  syncCommand,
  probeCommand,
  codegenCommand,
  auditCommand,
  pinsCommand,
  authCommand,
  tokenCommand,
  checkpointCommand,
  metricsCommand,
  indexCommand,
  searchCommand,
  tasksCommand,
  ragCommand,
  mlCommand,
  undoCommand,
  initCommand,
  configCommand,
  trustCommand,
  importCommand,
  exportCommand,
  completionCommand,
  sharedGatewayCommand,
];
