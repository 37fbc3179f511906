include "system-limits";

.targets as $targets
| .cases
| map_values(. as $case | ($case.lines | system_limits) as $limits
    | {$limits, too_low: ({$limits, plan: $case.plan} | too_low($targets; $case.loopback))})
