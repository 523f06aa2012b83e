package io.rpcboot.spring.actuate.findings;

import java.util.ArrayList;
import java.util.List;

import io.rpcboot.ServiceId;
import io.rpcboot.server.ServiceInfo;
import io.rpcboot.spring.actuate.descriptor.Formats;
import io.rpcboot.spring.actuate.findings.DiagnosticSnapshot.OfServer;
import org.jspecify.annotations.Nullable;

/**
 * Configured maximum of threads of a service or method.
 *
 * @param service identity of the service
 * @param method name of the method, empty for the whole service
 * @param threads the maximum
 * @param property name of the property that sets it
 */
record ThreadLimit(String service, String method, int threads, String property) {

	/** Returns the configured limits of a server. */
	static List<ThreadLimit> of(OfServer server) {
		List<ThreadLimit> result = new ArrayList<>();
		for (ServiceInfo info : server.services()) {
			String prefix = "rpc.server.services." + key(info.service(), server.services());
			String service = info.service().toString();
			if (info.maxThreads() != null) {
				result.add(new ThreadLimit(service, "", info.maxThreads(), prefix + ".max-threads"));
			}
			info.methodMaxThreads()
				.forEach((method, threads) -> result
					.add(new ThreadLimit(service, method, threads, prefix + ".methods." + method + ".max-threads")));
		}
		return result;
	}

	/** Returns the limit of a method, else that of its service; null for none. */
	static @Nullable ThreadLimit of(OfServer server, String service, String signature) {
		ThreadLimit result = null;
		for (ThreadLimit each : of(server)) {
			boolean isOfMethod = signature.startsWith(each.method + "(");
			if (each.service.equals(service) && (isOfMethod || each.method.isEmpty() && result == null)) {
				result = each;
			}
		}
		return result;
	}

	/** Returns the key of a service in properties. */
	private static String key(ServiceId service, List<ServiceInfo> all) {
		String simple = Formats.simpleName(service.name());
		boolean isUnique = all.stream()
			.filter((each) -> Formats.simpleName(each.service().name()).equals(simple))
			.count() == 1;
		return isUnique ? simple : "[" + service + "]";
	}

	/** Returns the service, or the service and the method. */
	String name() {
		return this.method.isEmpty() ? this.service : this.service + "." + this.method;
	}

	/** Returns, for example, {@code 2 threads}. */
	String amount() {
		return this.threads + ((this.threads == 1) ? " thread" : " threads");
	}

	/** Returns what to do about the limit. */
	String advice() {
		return "Raise %s (%d now), or make it faster.".formatted(this.property, this.threads);
	}

}
