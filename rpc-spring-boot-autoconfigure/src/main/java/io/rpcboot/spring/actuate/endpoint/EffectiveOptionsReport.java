package io.rpcboot.spring.actuate.endpoint;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.client.ClientInfo;
import io.rpcboot.client.RpcClient;
import io.rpcboot.server.Dispatch;
import io.rpcboot.server.ServiceInfo;
import io.rpcboot.spring.actuate.descriptor.PolicyDescriptor;
import io.rpcboot.spring.actuate.descriptor.PolicyDescriptor.Value;
import io.rpcboot.spring.reference.RpcReferences.Made;
import io.rpcboot.transport.Protocol;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/** Report of the effective options of references and services, and of their sources. */
final class EffectiveOptionsReport {

	/** Most references in a document. */
	static final int MOST_REFERENCES = 100;

	private static final String DEFAULT = "default";

	private static final String RPC_METHOD = "@RpcMethod";

	private final RpcBeans beans;

	private final Environment environment;

	EffectiveOptionsReport(RpcBeans beans, Environment environment) {
		this.beans = beans;
		this.environment = environment;
	}

	/** Returns the options of the references to a service. */
	List<PolicyDescriptor> ofReferences(String service) {
		RpcClient client = this.beans.client();
		return (client == null) ? List.of()
				: this.beans.made(service)
					.stream()
					.limit(MOST_REFERENCES)
					.map((each) -> ofReference(each, client.info()))
					.toList();
	}

	private PolicyDescriptor ofReference(Made made, ClientInfo client) {
		Map<String, Value> values = new LinkedHashMap<>();
		values.put("timeout", new Value(SettingsReport.text(client.timeout()), ofSide("rpc.client.timeout")));
		values.put("wait-for-instance",
				new Value(SettingsReport.text(client.waitForInstance()), ofSide("rpc.client.wait-for-instance")));
		values.put("protocol", new Value(SettingsReport.text(client.protocol()), ofSide("rpc.client.protocol")));
		values.put("serializer", new Value(client.serializer(), ofSide("rpc.client.serializer")));
		values.put("detached", new Value("false", DEFAULT));
		made.values().forEach((option, value) -> {
			if (!option.startsWith("methods.")) {
				values.put(option, new Value(SettingsReport.text(value), origin(made, option)));
			}
		});
		if (made.values().getOrDefault("protocol", client.protocol()) == Protocol.GRPC) {
			values.put("serializer", new Value("protobuf", DEFAULT));
		}
		Map<String, Map<String, Value>> methods = new TreeMap<>();
		made.contract().get().methods().forEach((method) -> {
			Map<String, Value> own = ofMethod(made, method);
			if (!own.isEmpty()) {
				methods.put(method.signature(), own);
			}
		});
		return new PolicyDescriptor(made.name(), values, methods);
	}

	private Map<String, Value> ofMethod(Made made, MethodDescriptor method) {
		Map<String, Value> own = new LinkedHashMap<>();
		Duration timeout = method.timeout();
		if (timeout != null) {
			own.put("timeout", new Value(SettingsReport.text(timeout), RPC_METHOD));
		}
		if (method.isIdempotent()) {
			own.put("idempotent", new Value("true", RPC_METHOD));
		}
		for (String option : List.of("timeout", "idempotent", "hedge-after")) {
			String full = "methods." + method.name() + "." + option;
			Object value = made.values().get(full);
			if (value != null) {
				own.put(option, new Value(SettingsReport.text(value), origin(made, full)));
			}
		}
		return own;
	}

	private String origin(Made made, String option) {
		String origin = made.origins().getOrDefault(option, DEFAULT);
		return origin.equals("rpc.client." + option) ? ofSide(origin) : origin;
	}

	/** Returns the options of an offered service. */
	PolicyDescriptor ofService(ServiceInfo info) {
		Map<String, String> origins = this.beans.origins(info.service());
		Map<String, Value> values = new LinkedHashMap<>();
		values.put("serializers", new Value(String.join(", ", info.serializers()),
				origins.getOrDefault("serializers", ofSide("rpc.server.serializers"))));
		if (info.maxThreads() != null) {
			values.put("max-threads",
					new Value(String.valueOf(info.maxThreads()), origins.getOrDefault("max-threads", DEFAULT)));
		}
		if (info.maxStreams() != null) {
			values.put("max-streams",
					new Value(String.valueOf(info.maxStreams()), origins.getOrDefault("max-streams", DEFAULT)));
		}
		if (!info.interceptors().isEmpty()) {
			values.put("interceptors",
					new Value(String.join(", ", info.interceptors()), origins.getOrDefault("interceptors", DEFAULT)));
		}
		Map<String, Map<String, Value>> methods = new TreeMap<>();
		for (int i = 0; i < info.methods().size(); i++) {
			Map<String, Value> own = new LinkedHashMap<>();
			ofMethod(info, i, origins, values::put, own::put);
			if (!own.isEmpty()) {
				methods.put(info.methods().get(i), own);
			}
		}
		return new PolicyDescriptor(info.service().toString(), values, methods);
	}

	/**
	 * Adds the options of a method: to {@code own} if they were set for the method, else
	 * to those of the service.
	 */
	private void ofMethod(ServiceInfo info, int index, Map<String, String> origins, BiConsumer<String, Value> ofService,
			BiConsumer<String, Value> own) {
		String signature = info.methods().get(index);
		String name = signature.substring(0, signature.indexOf('('));
		String prefix = "methods." + name + ".";
		Dispatch dispatch = info.dispatch().get(index);
		String said = origins.get(prefix + "dispatch");
		if (said == null && !origins.containsKey("dispatch") && isByAnnotation(dispatch)) {
			said = RPC_METHOD;
		}
		if (said != null) {
			own.accept("dispatch", new Value(SettingsReport.text(dispatch), said));
		}
		else {
			ofService.accept("dispatch", new Value(SettingsReport.text(dispatch),
					origins.getOrDefault("dispatch", ofSide("rpc.server.dispatch"))));
		}
		Integer threads = info.methodMaxThreads().get(name);
		if (threads != null) {
			own.accept("max-threads",
					new Value(String.valueOf(threads), origins.getOrDefault(prefix + "max-threads", DEFAULT)));
		}
		String idempotent = origins.get(prefix + "idempotent");
		if (idempotent != null || info.idempotent().get(index)) {
			own.accept("idempotent", new Value(String.valueOf(info.idempotent().get(index)),
					(idempotent != null) ? idempotent : RPC_METHOD));
		}
	}

	private boolean isByAnnotation(Dispatch dispatch) {
		Dispatch ofServer = Binder.get(this.environment).bind("rpc.server.dispatch", Dispatch.class).orElse(null);
		return dispatch == Dispatch.EVENT_LOOP && ofServer != Dispatch.EVENT_LOOP;
	}

	private String ofSide(String property) {
		return this.environment.containsProperty(property) ? property : DEFAULT;
	}

}
