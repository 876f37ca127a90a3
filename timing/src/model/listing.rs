//! The model as a listing, for people and for tests that compare with a recorded one.

use super::{
    Activity, Asynchronous, Condition, Entering, Guard, Microseconds, Mode, Model, Module, Operand, Role,
    Side, Slots, Task, Trigger, Type,
};
use std::fmt;

impl fmt::Display for Model {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for record in &self.records {
            let fields: Vec<_> =
                record.fields.iter().map(|field| format!("{}: {}", field.name, field.kind)).collect();
            writeln!(out, "record {} {{ {} }}", record.name, fields.join(", "))?;
        }
        self.modules.iter().try_for_each(|module| self.module(module, out))
    }
}

impl Model {
    fn module(&self, module: &Module, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "module {}", module.name)?;
        for import in module.imports.iter().filter_map(|&index| self.modules.get(index)) {
            writeln!(out, "  imports {}", import.name)?;
        }
        for sensor in &module.sensors {
            writeln!(out, "  sensor {}: {} read by {}", sensor.name, sensor.kind, sensor.getter)?;
        }
        for actuator in &module.actuators {
            let (name, kind, initial) = (&actuator.name, &actuator.kind, &actuator.initial);
            writeln!(out, "  actuator {name}: {kind} = {initial} written by {}", actuator.setter)?;
        }
        module.tasks.iter().try_for_each(|task| list_task(task, out))?;
        module.modes.iter().enumerate().try_for_each(|(index, mode)| {
            let start = if index == module.start { "start " } else { "" };
            self.mode(module, mode, start, out)
        })?;
        module.asynchronous.iter().try_for_each(|activity| self.asynchronous(module, activity, out))
    }

    fn asynchronous(
        &self,
        module: &Module,
        activity: &Asynchronous,
        out: &mut fmt::Formatter<'_>,
    ) -> fmt::Result {
        let trigger = match &activity.trigger {
            Trigger::Interrupt(name) => format!("interrupt {name}"),
            Trigger::Port { module, task, port, part } => {
                let whole = self.output(*module, *task, *port).unwrap_or("?".to_owned());
                part.iter().fold(whole, |whole, part| format!("{whole}.{}", part.path))
            }
        };
        let guard = self.guard(module, activity.guard.as_ref());
        let name = module.tasks.get(activity.task).map_or("?", |task| &task.name);
        let inputs: Vec<_> = activity.inputs.iter().map(|input| self.operand(module, input)).collect();
        let priority = activity.priority;
        writeln!(out, "  with {trigger}, priority {priority}: {guard}task {name}({})", inputs.join(", "))
    }

    fn mode(&self, module: &Module, mode: &Mode, start: &str, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "  {start}mode {} every {}", mode.name, mode.period)?;
        for activity in &mode.activities {
            write!(out, "    every {}{}", activity.duration(mode.period), slots(activity.slots()))?;
            let guard = self.guard(module, activity.guard());
            match activity {
                Activity::Task { task, inputs, .. } => {
                    let inputs: Vec<_> = inputs.iter().map(|input| self.operand(module, input)).collect();
                    let name = module.tasks.get(*task).map_or("?", |task| &task.name);
                    writeln!(out, ": {guard}task {name}({})", inputs.join(", "))?;
                }
                Activity::Actuator { actuator, source, .. } => {
                    let name = module.actuators.get(*actuator).map_or("?", |actuator| &actuator.name);
                    let source = self.operand(module, source);
                    writeln!(out, ": {guard}actuator {name} := {source}")?;
                }
            }
        }
        for switch in &mode.switches {
            let every = Microseconds(mode.period.0 / u64::from(switch.frequency));
            let guard = self.guard(module, switch.guard.as_ref());
            let target = module.modes.get(switch.target).map_or("?", |mode| &mode.name);
            writeln!(out, "    every {every}{}: {guard}mode {target}", slots(&switch.slots))?;
        }
        for Entering { actuator, guard, source } in &mode.entering {
            let guard = self.guard(module, guard.as_ref());
            let name = module.actuators.get(*actuator).map_or("?", |actuator| &actuator.name);
            writeln!(out, "    on entering: {guard}actuator {name} := {}", self.operand(module, source))?;
        }
        Ok(())
    }

    fn guard(&self, home: &Module, guard: Option<&Guard>) -> String {
        let Some(guard) = guard else { return String::new() };
        let numbers: Vec<_> = (0..guard.arguments.len()).collect();
        match &guard.condition {
            None => format!("if {}({}) ", guard.function, self.arguments(home, guard, &numbers)),
            Some(condition) => format!("if {} ", self.condition(home, guard, condition)),
        }
    }

    fn arguments(&self, home: &Module, guard: &Guard, numbers: &[usize]) -> String {
        let arguments = numbers.iter().filter_map(|number| guard.arguments.get(*number));
        let arguments = arguments.map(|argument| match argument.operand {
            Operand::Constant(_) => format!("{} {}", argument.kind, self.operand(home, &argument.operand)),
            _ => self.operand(home, &argument.operand),
        });
        arguments.collect::<Vec<_>>().join(", ")
    }

    /// A condition with all its parentheses.
    fn condition(&self, home: &Module, guard: &Guard, condition: &Condition) -> String {
        let joined = |parts: &[Condition], word: &str| {
            let parts: Vec<_> = parts.iter().map(|part| self.condition(home, guard, part)).collect();
            format!("({})", parts.join(word))
        };
        let side = |side: &Side, kind: &Type| match side {
            Side::Argument(number) => self.arguments(home, guard, &[*number]),
            Side::Constant(value) => format!("{kind} {value}"),
        };
        match condition {
            Condition::Native { function, arguments, .. } => {
                format!("{function}({})", self.arguments(home, guard, arguments))
            }
            Condition::Value(number) => self.arguments(home, guard, &[*number]),
            Condition::Compared { left, comparison, right, kind } => {
                format!("{} {} {}", side(left, kind), comparison.word(), side(right, kind))
            }
            Condition::Not(inner) => {
                let text = self.condition(home, guard, inner);
                let is_compared = matches!(**inner, Condition::Compared { .. });
                if is_compared { format!("not ({text})") } else { format!("not {text}") }
            }
            Condition::All(parts) => joined(parts, " and "),
            Condition::Any(parts) => joined(parts, " or "),
        }
    }

    fn operand(&self, home: &Module, operand: &Operand) -> String {
        match operand {
            Operand::Constant(value) => value.to_string(),
            Operand::Field { of, path, .. } => format!("{}.{path}", self.operand(home, of)),
            Operand::Sensor(index) => {
                home.sensors.get(*index).map_or("?".to_owned(), |sensor| sensor.name.clone())
            }
            Operand::Output { module, task, port } => {
                self.output(*module, *task, *port).unwrap_or("?".to_owned())
            }
        }
    }

    fn output(&self, module: usize, task: usize, port: usize) -> Option<String> {
        let module = self.modules.get(module)?;
        let task = module.tasks.get(task)?;
        let port = task.ports.get(port)?;
        Some(format!("{}.{}.{}", module.name, task.name, port.name))
    }
}

/// The slots of an activity or a switch, unless it uses each one separately.
fn slots(slots: &[Slots]) -> String {
    let names: Vec<_> = slots.iter().map(Slots::to_string).collect();
    if names.is_empty() { String::new() } else { format!(" in slots {}", names.join(", ")) }
}

fn list_task(task: &Task, out: &mut fmt::Formatter<'_>) -> fmt::Result {
    let public = if task.public { "public " } else { "" };
    let arguments: Vec<_> =
        task.arguments.iter().map(|&port| task.ports.get(port).map_or("?", |port| &port.name)).collect();
    writeln!(out, "  {public}task {} calls {}({})", task.name, task.function, arguments.join(", "))?;
    for port in &task.ports {
        write!(out, "    {} {}: {}", port.role, port.name, port.kind)?;
        match &port.initial {
            Some(initial) => writeln!(out, " = {initial}")?,
            None => writeln!(out)?,
        }
    }
    Ok(())
}

impl fmt::Display for Role {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Role::Input => "input",
            Role::State => "state",
            Role::Output => "output",
        })
    }
}

impl fmt::Display for Slots {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Slots { first, last } if first == last => write!(out, "{first}"),
            Slots { first, last } => write!(out, "{first}-{last}"),
        }
    }
}
