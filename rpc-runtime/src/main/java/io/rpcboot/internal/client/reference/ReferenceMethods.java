package io.rpcboot.internal.client.reference;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.transport.Options;

/** The methods of a service with what the options of a reference say of them. */
final class ReferenceMethods {

	private ReferenceMethods() {
	}

	static List<MethodDescriptor> of(ServiceDescriptor service, ReferenceOptions options) {
		Set<String> names = new TreeSet<>();
		service.methods().forEach((method) -> names.add(method.name()));
		Stream.concat(options.methodTimeouts().keySet().stream(), options.idempotence().keySet().stream())
			.forEach((name) -> Options.require(names.contains(name), "methods", "'" + name + "'",
					"a method of %s: %s".formatted(service.type().getName(), String.join(", ", names))));
		return service.methods()
			.stream()
			.map((method) -> method
				.withIdempotent(options.idempotence().getOrDefault(method.name(), method.isIdempotent())))
			.toList();
	}

}
