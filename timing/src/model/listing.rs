//! The model as a listing, for people and for recorded tests.

use super::{Activity, Mode, Model, Module, Operand, Role, Task};
use std::fmt;

impl fmt::Display for Model {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
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
            let (name, kind, initial) = (&actuator.name, actuator.kind, &actuator.initial);
            writeln!(out, "  actuator {name}: {kind} = {initial} written by {}", actuator.setter)?;
        }
        module.tasks.iter().try_for_each(|task| list_task(task, out))?;
        self.mode(module, &module.mode, out)
    }

    fn mode(&self, module: &Module, mode: &Mode, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "  mode {} every {}", mode.name, mode.period)?;
        for activity in &mode.activities {
            let duration = activity.duration(mode.period);
            match activity {
                Activity::Task { task, inputs, .. } => {
                    let inputs: Vec<_> = inputs.iter().map(|input| self.operand(module, input)).collect();
                    let name = module.tasks.get(*task).map_or("?", |task| &task.name);
                    writeln!(out, "    every {duration}: task {name}({})", inputs.join(", "))?;
                }
                Activity::Actuator { actuator, source, .. } => {
                    let name = module.actuators.get(*actuator).map_or("?", |actuator| &actuator.name);
                    let source = self.operand(module, source);
                    writeln!(out, "    every {duration}: actuator {name} := {source}")?;
                }
            }
        }
        Ok(())
    }

    fn operand(&self, home: &Module, operand: &Operand) -> String {
        match operand {
            Operand::Constant(value) => value.to_string(),
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
