package io.rpcboot.security;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;

import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordingFile;

/** What the JVM itself says about classes that were loaded, whoever loaded them. */
final class LoadedClasses {

	private LoadedClasses() {
	}

	/** The names of the classes that are loaded while a task runs. */
	static Set<String> during(Runnable task) throws IOException {
		Path file = Files.createTempFile("classes", ".jfr");
		try (Recording recording = new Recording()) {
			recording.enable("jdk.ClassLoad").withoutStackTrace().withThreshold(Duration.ZERO);
			recording.start();
			task.run();
			recording.stop();
			recording.dump(file);
			Set<String> names = new TreeSet<>();
			RecordingFile.readAllEvents(file).forEach((event) -> {
				RecordedClass loaded = event.getClass("loadedClass");
				names.add(loaded.getName());
			});
			return names;
		}
		finally {
			Files.delete(file);
		}
	}

}
