use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::Outcome;

/// The program, serving.
pub(crate) struct Server {
    process: Child,
    pub(crate) address: SocketAddr,
}

impl Server {
    pub(crate) fn open(folder: &Path) -> Outcome<Server> {
        let mut process = Command::new(env!("CARGO_BIN_EXE_tabiya"))
            .args(["serve", "--no-open", "--addr", "127.0.0.1:0", "--data"])
            .arg(folder)
            .stdout(Stdio::piped())
            .spawn()?;
        let mut line = String::new();
        let out = process.stdout.take().ok_or("the server says nothing")?;
        BufReader::new(out).read_line(&mut line)?;
        let address = line.split("http://").nth(1).and_then(|rest| rest.split([' ', '\n']).next());
        let address = address.ok_or("the server does not tell its address")?.parse()?;
        Ok(Server { process, address })
    }

    /// Resident memory now and at most, in MiB; nothing where the system does not tell.
    pub(crate) fn memory(&self) -> Option<(u64, u64)> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process.id())).ok()?;
        let mebibytes = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name))?;
            Some(line.split_whitespace().next()?.parse::<u64>().ok()? / 1024)
        };
        Some((mebibytes("VmRSS:")?, mebibytes("VmHWM:")?))
    }

    /// Ends it as a power cut would.
    pub(crate) fn kill(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}
