package io.rpcboot.samples.quickstart;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

import io.rpcboot.samples.quickstart.provider.ProviderApplication;

import org.springframework.context.ConfigurableApplicationContext;

/**
 * Starts everything, calls the service and prints the results. Runs until it is stopped,
 * or with {@code rpc.quickstart.exit=true} until the calls are done. With
 * {@code --provider} it is only a further provider.
 */
public final class QuickstartApplication {

	private QuickstartApplication() {
	}

	/**
	 * Runs the quickstart.
	 * @param args {@code --provider}, or properties such as
	 * {@code --rpc.quickstart.exit=true}
	 * @throws InterruptedException if the thread is interrupted
	 * @throws IllegalStateException if a result was wrong or a call failed; the exit
	 * status of the process is then 1
	 */
	public static void main(String[] args) throws InterruptedException {
		if (List.of(args).contains(Quickstart.PROVIDER)) {
			provide(args);
			return;
		}
		// the address of the user is Chinese, whatever the locale
		run(new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8), args);
	}

	private static void provide(String... args) {
		Optional<ProcessHandle> parent = ProcessHandle.current().parent();
		ConfigurableApplicationContext provider = ProviderApplication.start(true, args);
		if (provider.getEnvironment().getProperty(Quickstart.END_WITH_PARENT, Boolean.class, false)) {
			parent.ifPresent((process) -> process.onExit().thenRun(provider::close));
		}
	}

	static void run(PrintStream out, String... args) throws InterruptedException {
		Optional<ProcessHandle> parent = ProcessHandle.current().parent();
		Quickstart quickstart = Quickstart.start(args);
		boolean stay = false;
		try {
			Report report = quickstart.callEverything();
			out.println(report);
			report.requireRight();
			stay = !quickstart.exit();
			if (stay) {
				Runtime.getRuntime().addShutdownHook(new Thread(quickstart::close, "quickstart-shutdown"));
				if (quickstart.endsWithParent()) {
					parent.ifPresent((process) -> process.onExit().thenRun(quickstart::close));
				}
				quickstart.goOnCalling(out);
			}
		}
		finally {
			if (!stay) {
				quickstart.close();
			}
		}
	}

}
