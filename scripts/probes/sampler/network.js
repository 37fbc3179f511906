import { KernelFile } from './proc.js';

/**
 * What the network of a process has carried, read from /proc/PID/net: of all interfaces of the network namespace that it is in, loopback among them.
 * Processes in one namespace have the same readings.
 */
export class Network {
  /** proc: where the proc file system is mounted. */
  constructor(pid, proc = '/proc') {
    this.dev = new KernelFile(`${proc}/${pid}/net/dev`);
    this.snmp = new KernelFile(`${proc}/${pid}/net/snmp`);
  }

  /** One reading of counters, {received_bytes, sent_bytes, segments_sent, segments_retransmitted}; null where there is none. */
  read() {
    const dev = this.dev.read();
    const snmp = this.snmp.read();
    if (dev === null || snmp === null) return null;
    const interfaces = dev
      .split('\n')
      .slice(2)
      .filter((line) => line.includes(':'))
      .map((line) => line.split(':')[1].trim().split(/\s+/).map(Number));
    const sum = (at) => interfaces.reduce((all, counters) => all + counters[at], 0);
    const [names = [], values = []] = snmp
      .split('\n')
      .filter((line) => line.startsWith('Tcp:'))
      .map((line) => line.split(' '));
    const tcp = (name) => Number(values[names.indexOf(name)] ?? 0);
    return {
      received_bytes: sum(0),
      sent_bytes: sum(8),
      segments_sent: tcp('OutSegs'),
      segments_retransmitted: tcp('RetransSegs'),
    };
  }

  close() {
    this.dev.close();
    this.snmp.close();
  }
}
